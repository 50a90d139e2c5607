import { fc, type GeneratorValue } from '@lintel/testkit/properties';
import type { BoxDocument, Json } from './document.ts';

/** An operation as it is sent, and as RFC 6902 applies it to the document of the model; undefined: it is a conflict. */
export interface Generated {
  readonly sent: { readonly op: string; readonly path: string; readonly [member: string]: Json };
  readonly meant: { readonly op: string; readonly path: string; readonly [member: string]: Json } | undefined;
}

/** Instances that exist outside of the box. */
export interface Others {
  readonly tags: readonly string[];
  readonly guests: readonly string[];
}

type Objects = { readonly [id: string]: { readonly [name: string]: Json } };

const TEXT_PATHS = ['/note', '/internal', '/origin/land', '/origin/town'];
const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: true, stringUnit: 'grapheme-ascii' }) as fc.Arbitrary<Json>;
const word = fc.constantFrom('a', 'b', 'c', '');

/** Chooses operations on the state that the ones before lead to. */
export class OperationGenerator {
  readonly #choose: GeneratorValue;
  readonly #others: Others;
  /** Members that the patch has added or removed: an operation must not address them again. */
  readonly #settled = new Set<string>();

  constructor(choose: GeneratorValue, others: Others) {
    this.#choose = choose;
    this.#others = others;
  }

  next(document: BoxDocument): Generated {
    const kinds = [
      () => this.#value(document),
      () => this.#moved(document),
      () => this.#inside(document),
      () => this.#colour(document),
      () => this.#label(document),
      () => this.#owner(document),
      () => this.#link(document, 'tags'),
      () => this.#link(document, 'guests'),
      () => this.#part(document),
      () => this.#part(document),
      () => this.#piece(document),
    ];
    return this.#one(kinds)();
  }

  #one<T>(items: readonly T[]): T {
    return this.#choose(fc.constantFrom, ...items) as T;
  }

  #is(weight: number): boolean {
    return this.#choose(fc.nat, 9) < weight;
  }

  #word(): string {
    return this.#choose(() => word);
  }

  #json(): Json {
    return this.#choose(() => json);
  }

  #test(path: string, current: Json, other: Json): Generated {
    const value = this.#is(8) ? current : other;
    return same({ op: 'test', path, value });
  }

  #value(document: BoxDocument): Generated {
    const path = this.#one([...TEXT_PATHS, '/price', '/name', '/origin', '/data']);
    const current = valueAt(document, path);
    const value = (): Json => {
      if (path === '/price') return this.#one([0, 1.25, 7, 12.5]);
      if (path === '/data') return this.#json();
      if (path === '/origin') return this.#one<Json>([{ land: 'x' }, { town: 'y', land: 'z' }, {}]);
      return path === '/name' ? `n${this.#word()}` : this.#word();
    };
    // A test of an object compares what it names and null what it does not.
    if (this.#is(3)) return this.#test(path, current, path === '/origin' ? { land: 'q', town: null } : value());
    if (this.#is(2) && path !== '/name') return same({ op: 'remove', path });
    return same({ op: this.#one(['add', 'replace']), path, value: value() });
  }

  #moved(document: BoxDocument): Generated {
    const [from, path] = [this.#one(TEXT_PATHS), this.#one(TEXT_PATHS)];
    const op = this.#one(['move', 'copy']);
    if (this.#is(7)) return same({ op, from, path });
    const label = document['label'] === null ? undefined : '/label/text';
    return label === undefined ? same({ op, from, path }) : same({ op, from: label, path });
  }

  /** Inside the JSON value, where RFC 6902 is applied as it is. */
  #inside(document: BoxDocument): Generated {
    const paths = pathsIn(document['data'] ?? null, '/data').filter((path) => path !== '/data');
    const op = this.#one(['add', 'remove', 'replace', 'test', 'move', 'copy']);
    const there = this.#is(8) && paths.length > 0 ? this.#one(paths) : `/data/${this.#one(['x', '0', '-', '7'])}`;
    const path = op === 'add' && this.#is(5) ? `${there}/${this.#one(['x', '0', '-'])}` : there;
    if (op === 'remove') return same({ op, path });
    if (op === 'move' || op === 'copy') {
      const from = paths.length > 0 ? this.#one(paths) : '/data/none';
      // A move into itself is a mistake, not a conflict.
      return op === 'move' && `${path}/`.startsWith(`${from}/`)
        ? same({ op: 'copy', from, path })
        : same({ op, from, path });
    }
    const current = valueAt(document, path);
    return same({ op, path, value: op === 'test' && current !== undefined && this.#is(8) ? current : this.#json() });
  }

  #colour(document: BoxDocument): Generated {
    const colours = document['colours'] as readonly string[];
    const at = this.#choose(fc.nat, colours.length + 1);
    const path = `/colours/${at}`;
    const op = this.#one(['add', 'add', 'remove', 'replace', 'test', 'move']);
    if (op === 'remove') return same({ op, path });
    if (op === 'move') return same({ op: this.#one(['move', 'copy']), from: path, path: this.#one(TEXT_PATHS) });
    if (op === 'test') return this.#test(path, colours[at] ?? 'a', this.#word());
    return same({ op, path: op === 'add' && this.#is(5) ? '/colours/-' : path, value: this.#word() });
  }

  #label(document: BoxDocument): Generated {
    const isThere = document['label'] !== null;
    const path = this.#one(['/label', '/label/text', '/label/size']);
    const value: Json = path === '/label/size' ? 5 : this.#word();
    // Defaults are set after all operations.
    if (path === '/label/size' && this.#settled.has('/label')) return this.#value(document);
    if (path !== '/label') {
      if (this.#is(3)) return this.#test(path, valueAt(document, path) ?? value, value);
      return same({ op: this.#one(['add', 'replace']), path, value });
    }
    if (this.#settled.has(path)) return this.#value(document);
    this.#settled.add(path);
    if (this.#is(4)) return same({ op: 'remove', path });
    const sent = { op: 'add', path, value: { text: this.#word() } };
    // A new one has its default; one that is replaced has none.
    return { sent, meant: isThere ? sent : { ...sent, value: { ...sent.value, size: 3 } } };
  }

  #owner(document: BoxDocument): Generated {
    const id = this.#one(this.#others.guests);
    if (document['owner'] !== null && this.#is(4)) {
      const path = '/owner/id';
      return this.#is(5)
        ? this.#test(path, valueAt(document, path) ?? null, id)
        : same({ op: 'replace', path, value: id });
    }
    return this.#is(2)
      ? same({ op: 'remove', path: '/owner' })
      : same({ op: this.#one(['add', 'replace']), path: '/owner', value: { id } });
  }

  /** A member of an association; the other instances stay as they are. */
  #link(document: BoxDocument, name: 'tags' | 'guests'): Generated {
    const members = document[name] as Objects;
    const id = this.#one(this.#others[name]);
    const path = `/${name}/${id}`;
    if (this.#settled.has(path)) return this.#value(document);
    if (this.#is(2) && members[id] !== undefined)
      return { sent: { op: 'test', path, value: { id } }, meant: { op: 'test', path, value: {} } };
    this.#settled.add(path);
    if (this.#is(4)) return same({ op: 'remove', path });
    const meant = { op: 'add', path, value: {} };
    if (this.#is(5)) return { sent: { op: 'add', path: `/${name}/-`, value: { id } }, meant };
    return { sent: meant, meant: members[id] === undefined ? meant : undefined };
  }

  #part(document: BoxDocument): Generated {
    const parts = document['parts'] as Objects;
    const known = Object.keys(parts).filter((id) => !this.#settled.has(`/parts/${id}`));
    const id = known.length > 0 && this.#is(9) ? this.#one(known) : this.#newId();
    const path = `/parts/${id}`;
    const isThere = parts[id] !== undefined;
    if (known.length > 0 && this.#is(5)) return this.#partValue(document, path);
    if (isThere && this.#is(2))
      return { sent: { op: 'test', path, value: { id } }, meant: { op: 'test', path, value: parts[id] as Json } };
    this.#settled.add(path);
    if (this.#is(3)) return same({ op: 'remove', path });
    const value = { name: `p${this.#word()}`, ...(this.#is(5) ? { position: 2 } : {}) };
    if (isThere && this.#is(6)) return same({ op: 'replace', path, value });
    const added = this.#newId();
    const target = this.#is(2) ? id : added;
    this.#settled.add(`/parts/${target}`);
    const pieces = this.#is(4) ? [{ id: this.#newId(), name: 'x' }] : [];
    const meant = {
      op: 'add',
      path: `/parts/${target}`,
      value: { position: 7, ...value, pieces: Object.fromEntries(pieces.map((piece) => [piece.id, { name: 'x' }])) },
    };
    for (const piece of pieces) this.#settled.add(piece.id);
    const isByPath = this.#is(5);
    const body = { ...value, ...(pieces.length > 0 ? { pieces } : {}) };
    return {
      sent: isByPath
        ? { op: 'add', path: `/parts/${target}`, value: body }
        : { op: 'add', path: '/parts/-', value: { ...body, id: target } },
      meant: parts[target] === undefined ? meant : undefined,
    };
  }

  #partValue(document: BoxDocument, path: string): Generated {
    const at = `${path}/${this.#one(['position', 'name', 'data'])}`;
    const value: Json = at.endsWith('position') ? this.#choose(fc.nat, 3) : `p${this.#word()}`;
    if (this.#is(4)) return this.#test(at, valueAt(document, at) ?? null, value);
    if (this.#is(2) && !at.endsWith('name')) return same({ op: 'remove', path: at });
    return same({ op: this.#one(['add', 'replace']), path: at, value });
  }

  #piece(document: BoxDocument): Generated {
    const parts = Object.entries(document['parts'] as Objects).filter(([id]) => !this.#settled.has(`/parts/${id}`));
    if (parts.length === 0) return this.#part(document);
    const [partId, part] = this.#one(parts);
    const pieces = Object.keys((part['pieces'] ?? {}) as Objects);
    const base = `/parts/${partId}/pieces`;
    const id = pieces.length > 0 && this.#is(7) ? this.#one(pieces) : this.#newId();
    const path = `${base}/${id}`;
    if (this.#settled.has(path)) return this.#value(document);
    if (pieces.includes(id) && this.#is(5))
      return same({ op: 'replace', path: `${path}/weight`, value: this.#choose(fc.nat, 5) });
    this.#settled.add(path);
    if (this.#is(4)) return same({ op: 'remove', path });
    const isThere = pieces.includes(id);
    const sent = { op: 'add', path: `${base}/-`, value: { id, name: this.#word() } };
    return { sent, meant: isThere ? undefined : { op: 'add', path, value: { name: sent.value.name } } };
  }

  #newId(): string {
    return this.#choose(fc.uuid);
  }
}

const same = (operation: Generated['sent']): Generated => ({ sent: operation, meant: operation });

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function pathsIn(json: Json, path: string): readonly string[] {
  if (typeof json !== 'object' || json === null) return [path];
  return [path, ...Object.entries(json).flatMap(([name, value]) => pathsIn(value, `${path}/${escaped(name)}`))];
}

/** The value of a path; undefined if there is none. */
export function valueAt(document: BoxDocument, path: string): Json {
  let value: Json | undefined = document;
  for (const token of path.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as { [name: string]: Json })[name]
        : undefined;
  }
  return value as Json;
}
