/** A property in force; secrets are masked by the server. */
export interface EffectiveSetting {
  readonly name: string;
  readonly value: string | null;
  readonly secret: boolean;
  readonly origin: string;
}

/**
 * The properties that a search finds.
 *
 * @param isChangedOnly whether those with their default value are left out
 */
export function shownSettings(
  settings: readonly EffectiveSetting[],
  words: string,
  isChangedOnly: boolean,
): readonly EffectiveSetting[] {
  const searched = words.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ name, value, origin }) => {
    if (isChangedOnly && origin === 'default') return false;
    const content = `${name} ${value ?? ''} ${origin}`.toLowerCase();
    return searched.every((word) => content.includes(word));
  });
}
