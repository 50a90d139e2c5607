import { isIP } from 'node:net';

/** One element of a forwarding header: what one proxy wrote about the request that it received. */
export interface Hop {
  /** Undefined if it is hidden (`unknown`, `_secret`) or not an address. */
  readonly address: string | undefined;
  readonly proto?: string;
  readonly host?: string;
}

/** An address without port, brackets and IPv4-in-IPv6 form; undefined for anything else. */
export function addressOf(text: string): string | undefined {
  const trimmed = text.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 || address.includes('%') ? undefined : address.toLowerCase();
}

/** Elements of `X-Forwarded-For`; the last one is that of the nearest proxy. */
export const parseForwardedFor = (header: string): readonly Hop[] =>
  header.split(',').map((item) => ({ address: addressOf(item) }));

const PAIR = /^\s*([!#$%&'*+\-.^_`|~\w]+)=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+\-.^_`|~\w:[\]]+))\s*$/;

/** Elements of `Forwarded` (RFC 7239 §4); the last one is that of the nearest proxy. An invalid one is a hidden hop. */
export function parseForwarded(header: string): readonly Hop[] {
  return splitOutsideQuotes(header, ',').map((element) => {
    const members = new Map<string, string>();
    for (const pair of splitOutsideQuotes(element, ';')) {
      if (pair.trim() === '') continue;
      const match = PAIR.exec(pair);
      if (match === null) return { address: undefined };
      const [, name = '', quoted, token = ''] = match;
      members.set(name.toLowerCase(), quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1'));
    }
    const [address, proto, host] = [members.get('for'), members.get('proto'), members.get('host')];
    return {
      address: address === undefined ? undefined : addressOf(address),
      ...(proto !== undefined && { proto }),
      ...(host !== undefined && { host }),
    };
  });
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (isQuoted && letter === '\\') index += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
