export { fixedClock } from "./clock.ts";
export { type StoreMaker, storeSuite, type TestRunner } from "./store-suite.ts";
