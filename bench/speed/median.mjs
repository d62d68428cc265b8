export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/** Processor time of this process in ms: what a busy machine changes least. */
export function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
