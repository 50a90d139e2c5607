import type { CpuProfile } from './summarize-profile.ts';

/** A function with what it called, over all samples. */
interface Frame {
  readonly name: string;
  micros: number;
  readonly calls: Map<string, Frame>;
}

const WIDTH = 1_200;
const ROW = 15;
const HEAD = 24;
/** Narrower ones are left out, so that the file stays small. */
const LEAST_WIDTH = 1.5;
const CHARACTER_WIDTH = 6.2;

/** A flame graph of a processor profile as SVG: what was called from the bottom up, as wide as it took time. */
export function drawFlames(title: string, profile: CpuProfile, requests: number): string {
  const root = mergeCalls(profile);
  const all = [...root.calls.values()].reduce((sum, { micros }) => sum + micros, 0);
  const scale = WIDTH / Math.max(1, all);
  const boxes: { x: number; depth: number; frame: Frame }[] = [];
  const layOut = (frames: Iterable<Frame>, from: number, depth: number): void => {
    let x = from;
    for (const frame of [...frames].sort((left, right) => right.micros - left.micros)) {
      const width = frame.micros * scale;
      if (width < LEAST_WIDTH) continue;
      boxes.push({ x, depth, frame });
      layOut(frame.calls.values(), x, depth + 1);
      x += width;
    }
  };
  layOut(root.calls.values(), 0, 0);
  const rows = Math.max(0, ...boxes.map(({ depth }) => depth + 1));
  const height = HEAD + rows * ROW + 4;
  const drawn = boxes.map(({ x, depth, frame }) => {
    const width = frame.micros * scale;
    const shown = frame.name.slice(0, Math.floor(width / CHARACTER_WIDTH));
    const label = shown.length < 3 ? '' : `<text x="3" y="11">${escaped(shown)}</text>`;
    const micros = (frame.micros / Math.max(1, requests)).toFixed(1);
    return `<g transform="translate(${x.toFixed(1)} ${height - (depth + 1) * ROW - 4})"><title>${escaped(frame.name)}: ${micros} µs per request</title><rect width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(frame.name)}"/>${label}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="monospace" font-size="10">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" fill="white"/>',
    `<text x="6" y="16" font-family="sans-serif" font-size="13">${escaped(title)}: ${(all / Math.max(1, requests)).toFixed(0)} µs per request</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** Brings calls of one function from one position together; what costs no request anything is left out. */
function mergeCalls({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map<number, number>();
  for (const [at, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[at] ?? 0));
  const root: Frame = { name: '', micros: 0, calls: new Map() };
  const visit = (id: number, parent: Frame): number => {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === '(idle)') return 0;
    const { functionName, url } = node.callFrame;
    const file = url.split('/').at(-1) ?? '';
    const name = `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}`}`;
    const frame = parent.calls.get(name) ?? { name, micros: 0, calls: new Map() };
    parent.calls.set(name, frame);
    const micros = (node.children ?? []).reduce((sum, child) => sum + visit(child, frame), own.get(id) ?? 0);
    frame.micros += micros;
    return micros;
  };
  for (const child of nodes[0]?.children ?? []) visit(child, root);
  return root;
}

const COLORS = ['#f6c177', '#eb9c5a', '#f2d492', '#e8a87c', '#f4b183', '#e6c27a'];

function colorOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return COLORS[sum % COLORS.length] ?? '#f6c177';
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
