import { IMAGE_TOKENS } from "../core/context/tokens.ts";
import { imageBytes, oldestImages, requestBytes } from "../core/plan/images.ts";
import { contentEdit } from "./content-edit.ts";
import type { SessionState } from "./state.ts";

/** What became of images that made a request too large. */
export interface ImagesShed {
  readonly entryIds: readonly string[];
  /** By which the request is smaller now. */
  readonly bytes: number;
  /** The same in tokens, by estimate. */
  readonly saved: number;
}

/** What a request over its size is brought under, so that images do not go one by one. */
const TARGET = 0.8;

/**
 * The images that are left out of the context from now on, oldest first, or undefined where none is [T4].
 *
 * Appends edits: above `maxRequestBytes` until four fifths of it hold the rest, and of a request that a provider has
 * refused as too large (`refused`) half of all there are. Costs O(live).
 */
export async function shedImages(state: SessionState, refused: boolean): Promise<ImagesShed | undefined> {
  const projection = state.projection();
  const most = state.settings.maxRequestBytes;
  const all = imageBytes(projection);
  if (all === 0) return undefined;
  const bytes = requestBytes(projection);
  const over = bytes > most ? bytes - most * TARGET : 0;
  const images = oldestImages(projection, Math.max(over, refused ? all / 2 : 0));
  if (images.length === 0) return undefined;
  await state.append(() => state.make(images.map(({ entryId, content }) => contentEdit(entryId, content, "images"))));
  return {
    entryIds: images.map(({ entryId }) => entryId),
    bytes: images.reduce((sum, image) => sum + image.bytes, 0),
    saved: images.reduce((sum, image) => sum + image.images * IMAGE_TOKENS, 0),
  };
}
