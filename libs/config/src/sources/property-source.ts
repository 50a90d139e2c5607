/** One source of properties. */
export interface PropertySource {
  /** The name in error messages: `environment`, `application`, the name of a file. */
  readonly label: string;
  readonly kind: 'application' | 'file' | 'environment';
  readonly values: Readonly<Record<string, string>>;
  /** Line of each key, if the source has lines. */
  readonly lines?: Readonly<Record<string, number>>;
  /** All its values are secret and never written to messages. */
  readonly isSecret?: boolean;
}

/** The position of a key: `environment`, `/etc/lintel.yml:12`. */
export function originOf(source: PropertySource, key: string): string {
  const line = source.lines?.[key];
  return line === undefined ? source.label : `${source.label}:${line}`;
}
