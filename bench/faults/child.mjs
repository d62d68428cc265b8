// One system, one fault, in a process of its own: node child.mjs SYSTEM BASE_URL; one JSON document on standard output.
const [system, baseUrl] = process.argv.slice(2);
console.log = console.error;
const { compacted } = await import(`./systems/${system}.mjs`);
const result = await compacted(baseUrl).catch((error) => ({ threw: String(error?.message ?? error).slice(0, 300) }));
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
