import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react';
import { createText, type Text, type Texts } from './create-text.ts';

/** The language of the page and its texts. */
export interface Language {
  readonly locale: string;
  readonly texts: Texts;
  readonly fallback: Texts;
  readonly text: Text;
  /** Changes the language of the page; the page keeps where it is. */
  readonly change: (locale: string) => void;
}

const LanguageContext = createContext<Language | undefined>(undefined);

interface TextProviderProps {
  readonly locale: string;
  readonly texts: Texts;
  readonly fallback: Texts;
  readonly change: (locale: string) => void;
  readonly children: ReactNode;
}

/** Gives the page its texts. */
export function TextProvider({ locale, texts, fallback, change, children }: TextProviderProps) {
  const language = useMemo(
    () => ({ locale, texts, fallback, text: createText(locale, texts, fallback), change }),
    [locale, texts, fallback, change],
  );
  // No JSX, which unit tests of functions cannot read: most of these import this file.
  return createElement(LanguageContext, { value: language }, children);
}

/** The language of the page. */
export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (language === undefined) throw new Error('There is no TextProvider');
  return language;
}

/** The function that returns texts. */
export const useText = (): Text => useLanguage().text;
