export type { Fsync } from "./append.ts";
export { type JsonlOptions, openJsonlStore } from "./open.ts";
export { writeSessionFile } from "./write-file.ts";
