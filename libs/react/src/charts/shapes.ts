/** Size of a drawing, in its own units. */
export const WIDTH = 640;
export const HEIGHT = 240;

const RADIUS = HEIGHT / 2;
const FULL_ANGLE = 2 * Math.PI;

/** Numbers that are drawn; null is a gap. */
export type Numbers = readonly (number | null)[];

/** A rectangle of a bar, from the line of 0. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest and the largest number of an axis, which shows 0. */
export function extentOf(numbers: Numbers): readonly [number, number] {
  const known = numbers.filter((each) => each !== null);
  return [Math.min(0, ...known), Math.max(0, ...known)];
}

/** The height of a number on the vertical axis. */
export const heightsOf = (numbers: Numbers): ((value: number) => number) => {
  const [min, max] = extentOf(numbers);
  return (value) => HEIGHT - ((value - min) / (max - min || 1)) * HEIGHT;
};

/** The middle of a position on the horizontal axis. */
export const middleOf = (index: number, count: number): number => ((index + 0.5) * WIDTH) / count;

/** A bar for each number; undefined for a gap. */
export function barsOf(numbers: Numbers): readonly (Bar | undefined)[] {
  const heightOf = heightsOf(numbers);
  const width = (WIDTH / numbers.length) * 0.8;
  return numbers.map((value, index) => {
    if (value === null) return undefined;
    const [top, bottom] = [heightOf(Math.max(value, 0)), heightOf(Math.min(value, 0))];
    return { x: middleOf(index, numbers.length) - width / 2, y: top, width, height: bottom - top };
  });
}

/** The position of each number; undefined for a gap. */
export function pointsOf(numbers: Numbers): readonly ({ readonly cx: number; readonly cy: number } | undefined)[] {
  const heightOf = heightsOf(numbers);
  return numbers.map((value, index) =>
    value === null ? undefined : { cx: middleOf(index, numbers.length), cy: heightOf(value) },
  );
}

/** The path of a line through the numbers, which begins anew after a gap. */
export const lineOf = (numbers: Numbers): string =>
  pointsOf(numbers)
    .map((point, at, all) => point && `${all[at - 1] === undefined ? 'M' : 'L'}${point.cx} ${point.cy}`)
    .join('');

/** The path of a sector for each number above 0; undefined for others, which are no part of a whole. */
export function slicesOf(numbers: Numbers): readonly (string | undefined)[] {
  const parts = numbers.map((value) => Math.max(value ?? 0, 0));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let end = 0;
  return parts.map((part) => {
    if (part === 0) return undefined;
    const from = end;
    // An arc that ends where it begins is not drawn.
    const angle = Math.min((part / whole) * FULL_ANGLE, FULL_ANGLE - 0.0001);
    end += angle;
    const isLarge = angle > Math.PI ? 1 : 0;
    return `M${RADIUS} ${RADIUS}L${rimAt(from)}A${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${rimAt(end)}Z`;
  });
}

const rimAt = (angle: number): string =>
  [RADIUS + RADIUS * Math.sin(angle), RADIUS - RADIUS * Math.cos(angle)].map((each) => each.toFixed(3)).join(' ');
