import type { Rights } from '@lintel/react';
import type { ExtensionPage, ExtensionParts } from '@lintel/react/console';

/** The pages that the user may use. */
export const shownPages = ({ pages = [] }: ExtensionParts, rights: Rights): readonly ExtensionPage[] =>
  pages.filter(({ isShown }) => isShown?.(rights) ?? true);
