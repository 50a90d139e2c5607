/**
 * Content codings of the gateway, the preferred one first (RFC 9110 §8.4.1, RFC 7932, RFC 8878). A constant: each client
 * names the codings that it wants in `Accept-Encoding`, and a proxy that compresses removes the header.
 */
export const CODINGS = ['zstd', 'br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The result of the negotiation. */
export interface CodingChoice {
  /** The coding to apply; undefined if the bytes are sent unchanged. */
  readonly coding: Coding | undefined;
  /** Whether the client refuses bytes without a coding (`identity;q=0`), however few they are. */
  readonly refusesIdentity: boolean;
}

const NONE: CodingChoice = { coding: undefined, refusesIdentity: false };

/**
 * Reads `Accept-Encoding` (RFC 9110 §12.5.3): the highest weight wins, then the order of `offered`. Without
 * the header, and where it names no offered coding, no coding is applied: a response without a coding is better
 * than an error. Invalid weights count as 0.
 */
export function chooseCoding(header: string | undefined, offered: readonly Coding[]): CodingChoice {
  if (header === undefined || header === '') return NONE;
  const weights = weightsOf(header);
  const others = weights.get('*');
  const weightOf = (coding: string): number => weights.get(coding) ?? others ?? 0;
  let coding: Coding | undefined;
  for (const candidate of offered)
    if (weightOf(candidate) > (coding === undefined ? 0 : weightOf(coding))) coding = candidate;
  if (coding === undefined) return NONE;
  // A higher weight of `identity`: the client prefers bytes without a coding.
  if ((weights.get('identity') ?? 0) > weightOf(coding)) return NONE;
  return { coding, refusesIdentity: (weights.get('identity') ?? others) === 0 };
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    const coding = name.trim().toLowerCase();
    if (coding === '') continue;
    // RFC 9110 §8.4.1.3: the older name is the same coding.
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightIn(parameters));
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() !== 'q') continue;
    const text = value.trim();
    return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
  }
  return 1;
}
