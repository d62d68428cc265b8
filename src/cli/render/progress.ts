/** Says what takes so long, on standard error, once it has taken half a second. */
export interface Progress {
  step(label: string): void;
  done(): void;
}

const PATIENCE = 500;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export const SILENT: Progress = { step() {}, done() {} };

/**
 * Progress on `stream`: a spinner on a terminal, one line a step elsewhere; nothing at all for what is quick.
 *
 * Work that never yields is reported at its next step.
 */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  const start = performance.now();
  let label = "";
  let shown = "";
  let frame = 0;
  const show = () => {
    if (!label || performance.now() - start < PATIENCE) return;
    if (stream.isTTY) stream.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${label}…`);
    else if (shown !== label) stream.write(`${label}…\n`);
    shown = label;
  };
  const timer = setInterval(show, 100);
  timer.unref();
  return {
    step(next) {
      label = next;
      show();
    },
    done() {
      clearInterval(timer);
      if (shown && stream.isTTY) stream.write("\r\x1b[2K");
      label = "";
    },
  };
}
