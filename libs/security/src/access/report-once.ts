/** More codes than this mean that they are generated. */
const MAX_REPORTED = 1_000;

/** Calls `report` once for each code. */
export function reportOnce(report: (code: string) => void): (code: string) => void {
  const reported = new Set<string>();
  return (code) => {
    if (reported.has(code)) return;
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.add(code);
    report(code);
  };
}
