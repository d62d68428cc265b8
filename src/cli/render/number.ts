/** `1234567` as `1,234,567`. */
export function thousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `3 entries`, `1 entry`; the plural is the singular with an `s` unless given. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${thousands(value)} ${value === 1 ? one : many}`;
}

/** A share as whole percent; a share that is small but there says `<1%`. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return "0%";
  const share = (100 * part) / whole;
  return share > 0 && share < 1 ? "<1%" : `${Math.round(share)}%`;
}
