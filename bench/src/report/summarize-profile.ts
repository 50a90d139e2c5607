/** The parts of a V8 processor profile (`node --cpu-prof`) that are read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface ProfiledFunction {
  readonly name: string;
  /** File and line, the path shortened as far as it identifies a file. */
  readonly position: string;
  /** Microseconds per request in the function itself. */
  readonly self: number;
  /** With everything it called. */
  readonly total: number;
}

interface Cost {
  self: number;
  total: number;
}

/** The functions of a profile by their own time, the costliest first. */
export function summarizeProfile(profile: CpuProfile, requests: number): readonly ProfiledFunction[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const own = new Map<number, number>();
  for (const [at, id] of profile.samples.entries()) own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas[at] ?? 0));
  const costs = new Map<string, Cost>();
  // A function that calls itself counts once: `open` holds those that are being entered.
  const visit = (id: number, open: ReadonlySet<string>): number => {
    const node = nodes.get(id);
    if (node === undefined) return 0;
    const key = keyOf(node.callFrame);
    const self = own.get(id) ?? 0;
    const cost = costs.get(key) ?? { self: 0, total: 0 };
    costs.set(key, cost);
    cost.self += self;
    const inside = open.has(key) ? open : new Set([...open, key]);
    const total = (node.children ?? []).reduce((sum, child) => sum + visit(child, inside), self);
    if (!open.has(key)) cost.total += total;
    return total;
  };
  const [root] = profile.nodes;
  if (root !== undefined) visit(root.id, new Set());
  return [...costs]
    .map(([key, { self, total }]) => {
      const [name = '', position = ''] = key.split('\n');
      return { name, position: position, self: self / requests, total: total / requests };
    })
    .filter(({ name }) => name !== '(idle)' && name !== '(root)')
    .sort((left, right) => right.self - left.self);
}

function keyOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const parts = url.replace('file://', '').split('/');
  const at = parts.lastIndexOf('node_modules');
  const position = (at >= 0 ? parts.slice(at + 1) : parts.slice(-4)).join('/');
  return `${functionName || '(anonymous)'}\n${position === '' ? '' : `${position}:${lineNumber + 1}`}`;
}

/** As text: own and total microseconds per request of each function. */
export const formatProfile = (functions: readonly ProfiledFunction[], count: number): string =>
  functions
    .slice(0, count)
    .map(({ name, position, self, total }) => `${column(self)} ${column(total)}  ${name}  ${position}`)
    .join('\n');

const column = (micros: number): string => micros.toFixed(1).padStart(6);
