export type { TokenCounter } from "../core/context/tokens.ts";
