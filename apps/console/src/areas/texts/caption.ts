/** A caption of the model in one locale. */
export interface Caption {
  readonly target: string;
  readonly key: string;
  /** Null if the locale has no text of its own. */
  readonly text: string | null;
  readonly source: 'platform' | 'application' | 'database' | null;
  readonly shown: string;
}

export interface CaptionList {
  readonly locale: string;
  readonly locales: readonly string[];
  readonly captions: readonly Caption[];
}

/** The captions that a search finds, those of the platform last; `isMissingOnly`: those without a text of their own. */
export function shownCaptions(captions: readonly Caption[], words: string, isMissingOnly: boolean): readonly Caption[] {
  const searched = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = captions.filter(({ target, text, shown }) => {
    if (isMissingOnly && text !== null) return false;
    const content = `${target} ${text ?? ''} ${shown}`.toLowerCase();
    return searched.every((word) => content.includes(word));
  });
  const isPlatform = ({ source }: Caption): boolean => source === 'platform';
  return [...found.filter((each) => !isPlatform(each)), ...found.filter(isPlatform)];
}
