import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Model } from '../context.ts';

/** A page of an area. */
export interface AreaPage {
  /** Below the path of the area, in the form of TanStack Router: `/`, `$entity`, `$entity/$id`. */
  readonly path: string;
  readonly load: () => Promise<ComponentType>;
  /** Checks and types the search parameters; without it there are none. */
  readonly search?: (search: Record<string, unknown>) => Record<string, unknown>;
}

/** A command of the palette. */
export interface Command {
  readonly id: string;
  /** The name of the page; of a page of the console the key of a text of the area, which is loaded then. */
  readonly label: string | { readonly key: string };
  readonly description?: string;
  /** The page that it opens, below the path of the console. */
  readonly to: string;
}

/** What later commands are made from. */
export interface CommandContext {
  readonly model: Model;
  readonly queries: QueryClient;
  readonly locale: string;
}

/** A search of the palette for entries that are not pages, such as instances. */
export interface Finding {
  readonly model: Model;
  readonly query: string;
  readonly signal: AbortSignal;
}

/** A part of the console with a path, an entry in the navigation, and texts of its own. */
export interface Area {
  /** First segment of its paths, and its folder in `areas`. */
  readonly name: string;
  /** Shown in the navigation. */
  readonly icon: ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;
  /** Whether the user may use any of it; otherwise it is not shown. */
  readonly isShown: (model: Model) => boolean;
  /**
   * Its files import the styles of the components that the first load does not have; otherwise the styles of all common
   * components are loaded with the area.
   */
  readonly hasOwnStyles?: true;
  readonly pages: readonly AreaPage[];
  /** What is shown in the navigation below the entry while the area is open. */
  readonly navigation?: () => Promise<ComponentType<{ readonly onNavigate: () => void }>>;
  /** Its commands in the palette, besides the one that opens it. */
  readonly commands?: (model: Model) => readonly Command[];
  /** Those that are known later only, for example by code that is loaded with the palette. */
  readonly laterCommands?: (context: CommandContext) => Promise<readonly Command[]>;
  /** Commands that the server finds for a text. */
  readonly find?: (finding: Finding) => Promise<readonly Command[]>;
}

/** Commands that open the pages of an area; the texts `<area>.<page>` are their names. */
export const menuCommands = (area: string, pages: readonly string[]): readonly Command[] =>
  pages.map((page) => ({ id: `${area}:${page}`, label: { key: `${area}.${page}` }, to: `${area}/${page}` }));

/** An area of the console. The caption in the navigation is the text `area.<name>` of the shell. */
export const defineArea = (area: Area): Area => area;
