/** One line of a picture. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Picture {
  readonly title: string;
  /** Names the axis below. */
  readonly below: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
  /** Distances along the axis below grow with the logarithm. */
  readonly isLogarithmic?: boolean;
}

const WIDTH = 460;
const HEIGHT = 260;
const PLOT = { left: 46, right: 110, top: 30, bottom: 34 };
const COLORS = ['#0b6bcb', '#c2410c', '#2a7d2a', '#7c3aed', '#b45309', '#be185d', '#0f766e', '#475569'];

/** Pictures of curves beside each other, as one SVG. */
export function drawCurves(pictures: readonly Picture[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pictures.length * WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<title>${pictures.map(({ title, below }) => `${title} by ${below}`).join('; ')}</title>`,
    '<rect width="100%" height="100%" fill="white"/>',
    ...pictures.map((picture, at) => `<g transform="translate(${at * WIDTH} 0)">${drawOne(picture)}</g>`),
    '</svg>\n',
  ].join('\n');
}

function drawOne({ title, below, unit, curves, isLogarithmic = false }: Picture): string {
  const all = curves.flatMap(({ points }) => points);
  const scaled = (x: number): number => (isLogarithmic ? Math.log2(Math.max(x, 1)) : x);
  const [minX, maxX] = [Math.min(...all.map(([x]) => scaled(x))), Math.max(...all.map(([x]) => scaled(x)))];
  const maxY = Math.max(1, ...all.map(([, y]) => y)) * 1.1;
  const [width, height] = [WIDTH - PLOT.left - PLOT.right, HEIGHT - PLOT.top - PLOT.bottom];
  const toX = (x: number): number => PLOT.left + (maxX > minX ? (scaled(x) - minX) / (maxX - minX) : 0.5) * width;
  const toY = (y: number): number => PLOT.top + height * (1 - y / maxY);
  const levels = [0, 0.5, 1].map((part) => {
    const y = toY(maxY * part).toFixed(1);
    return `<line x1="${PLOT.left}" x2="${PLOT.left + width}" y1="${y}" y2="${y}" stroke="#ddd"/><text x="4" y="${y}">${(maxY * part).toFixed(maxY < 10 ? 1 : 0)}</text>`;
  });
  const ticks = [...new Set(all.map(([x]) => x))].sort((left, right) => left - right);
  const shown = ticks.length <= 6 ? ticks : [ticks[0] ?? 0, ticks.at(-1) ?? 0];
  const lines = curves.map(({ name, points }, at) => {
    const color = COLORS[at % COLORS.length];
    const path = points.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(' ');
    const last = points.at(-1);
    const label =
      last === undefined ? '' : `<text x="${toX(last[0]) + 5}" y="${toY(last[1]) + 4}" fill="${color}">${name}</text>`;
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>${label}`;
  });
  return [
    `<text x="${PLOT.left}" y="18" font-size="13">${title}, ${unit}</text>`,
    ...levels,
    ...shown.map(
      (x) => `<text x="${toX(x)}" y="${HEIGHT - 18}" text-anchor="middle">${Math.round(x * 10) / 10}</text>`,
    ),
    `<text x="${PLOT.left + width / 2}" y="${HEIGHT - 4}" text-anchor="middle" fill="#666">${below}</text>`,
    ...lines,
  ].join('');
}
