/** One source of properties. */
export interface PropertySource {
  /** Shown in errors: `environment`, `application`, a file's name. */
  readonly label: string;
  readonly kind: 'application' | 'file' | 'environment';
  readonly values: Readonly<Record<string, string>>;
  /** Line of each key, where there are lines. */
  readonly lines?: Readonly<Record<string, number>>;
  /** All its values are secret and never shown. */
  readonly isSecret?: boolean;
}

/** Where a key stands: `environment`, `/etc/lintel.yml:12`. */
export function originOf(source: PropertySource, key: string): string {
  const line = source.lines?.[key];
  return line === undefined ? source.label : `${source.label}:${line}`;
}
