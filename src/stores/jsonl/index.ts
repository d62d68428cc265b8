export type { Fsync } from "./append.ts";
export { type BlobPlace, hasBlobs } from "./blobs.ts";
export { type JsonlOptions, openJsonlStore } from "./open.ts";
export { type RepairReport, repairFile } from "./repair.ts";
export { transcriptsIn } from "./transcripts.ts";
export { writeSessionFile } from "./write-file.ts";
