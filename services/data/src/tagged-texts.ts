import { type TaggedText, tagged } from '@lintel/http';

/** Returns a function that creates the text of a key, with its entity tag, at the first use of the key. */
export function createTaggedTexts(): (key: string, create: () => unknown) => TaggedText {
  const texts = new Map<string, TaggedText>();
  return (key, create) => {
    const text = texts.get(key) ?? tagged(create());
    texts.set(key, text);
    return text;
  };
}
