import type { ModelRef, Projection } from "../core/context/projection.ts";
import { estimateMessage } from "../core/context/tokens.ts";
import type { Entry } from "../core/session/entry.ts";
import type { Message } from "../core/session/message.ts";
import { extendMeasure } from "../core/trigger/extend.ts";
import { type Measure, measureContext } from "../core/trigger/measure.ts";
import type { Host } from "./host.ts";

/** The size of the context: taken when it is asked for, then grown with what is appended [T2]. */
export interface Gauge {
  measure(project: () => Projection, path: readonly Entry[]): Measure;
  /** `path` has new entries from `from` on. */
  grow(path: readonly Entry[], from: number): void;
  /** The path is another one. */
  reset(): void;
  /** A message's estimate, counted once [T1]. */
  sizeOf(message: Message): number;
}

export function createGauge({ counter, extraTokens }: Pick<Host, "counter" | "extraTokens">): Gauge {
  let taken: { readonly measure: Measure; readonly model: ModelRef | null } | undefined;
  const sizes = new WeakMap<Message, number>();

  function sizeOf(message: Message): number {
    const known = sizes.get(message);
    if (known !== undefined) return known;
    const size = estimateMessage(message, counter);
    sizes.set(message, size);
    return size;
  }

  return {
    measure(project, path) {
      if (!taken) {
        const projection = project();
        const counts = { counter, sizes: projection.messages.map(({ message }) => sizeOf(message)) };
        const extra = extraTokens === undefined ? {} : { extraTokens };
        taken = { measure: measureContext(projection, path, { ...counts, ...extra }), model: projection.model };
      }
      return taken.measure;
    },
    grow(path, from) {
      const measure = taken && extendMeasure(taken.measure, path, from, { model: taken.model, sizeOf });
      taken = taken && measure && { ...taken, measure };
    },
    reset() {
      taken = undefined;
    },
    sizeOf,
  };
}
