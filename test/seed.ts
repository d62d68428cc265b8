import fc from "fast-check";

/** The same random cases at every run, so that a red run is red again; `ESPALIER_SEED=random` or a number takes others. */
const { ESPALIER_SEED: asked = "1" } = process.env;

if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });
