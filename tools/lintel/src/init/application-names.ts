import { basename } from 'node:path';

/** What `id` may not be, because the platform has entities or schemas of that name. */
const TAKEN = ['sec', 'auth', 'events', 'lintel', 'dynat', 'report', 'msg', 'public', 'rest', 'pg'];

/** Names for an application in a folder: `my-shop` makes `myshop` and `My shop`. */
export function defaultNames(folder: string): { readonly id: string; readonly name: string } {
  const words = basename(folder)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const id = words.join('').replace(/^\d+/, '').slice(0, 30);
  const usable = problemOfId(id) === undefined ? id : 'app';
  const name = words.join(' ') || usable;
  return { id: usable, name: name.charAt(0).toUpperCase() + name.slice(1) };
}

/** Why an id cannot be the prefix of entities and the name of a schema. */
export function problemOfId(id: string): string | undefined {
  if (!/^[a-z][a-z0-9]{0,29}$/.test(id))
    return `The id "${id}" is not usable: it has 1 to 30 small letters and digits and begins with a letter`;
  return TAKEN.includes(id) ? `The id "${id}" is taken by the platform` : undefined;
}
