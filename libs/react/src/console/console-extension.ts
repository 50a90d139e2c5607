import type { AttributeInfo } from '@lintel/client';
import type * as Query from '@tanstack/react-query';
import type * as React from 'react';
import type { Values } from '../draft/values.ts';
import type * as hooks from '../index.ts';
import type { Rights } from '../model/rights.ts';
import type { RegisteredClient } from '../register.ts';
import type { ConsoleComponents } from './console-components.ts';

/**
 * The default export of the module that `svc.console.extension` names. The console calls it once, with what the
 * extension shares with it; the module needs no import at run time.
 */
export type ConsoleExtension = (host: ConsoleHost) => ExtensionParts | Promise<ExtensionParts>;

/** What the console gives to an extension. */
export interface ConsoleHost {
  /** The React of the console: a second one has no access to its contexts. */
  readonly React: typeof React;
  /** Hooks of TanStack Query, with the cache of the console. */
  readonly query: Pick<typeof Query, 'useMutation' | 'useQuery' | 'useQueryClient'>;
  /** All of `@lintel/react`. */
  readonly lintel: typeof hooks;
  /** Components in the look of the console. */
  readonly components: ConsoleComponents;
  /** Within a component: the page in which it is shown. */
  useConsole(): ConsoleContext;
}

/** The page of the console. */
export interface ConsoleContext {
  /** Language of the page, as BCP 47 has it. */
  readonly locale: string;
  /** Opens a page of the console: `/data/sales_Order`, `/app/stock`. */
  navigate(path: string): void;
  /** Shows a short message. */
  notify(message: string): void;
  /** Shows an error, with the words and the code of the service. */
  showError(error: unknown): void;
}

/** A text, or one for each language with English as the fallback: `{ en: 'Stock', de: 'Bestand' }`. */
export type LocalText = string | ({ readonly en: string } & Readonly<Record<string, string>>);

/** What an extension adds. */
export interface ExtensionParts {
  /** Pages of the area *Application*. */
  readonly pages?: readonly ExtensionPage[];
  /** Further columns of lists. */
  readonly columns?: readonly ExtensionColumn[];
  /** Fields that replace those of the console. */
  readonly fields?: readonly ExtensionField[];
  /** Buttons of lists and forms. */
  readonly actions?: readonly ExtensionAction[];
}

/** A page of the area *Application*, with an entry in the navigation. */
export interface ExtensionPage {
  /** Lower-case letters, digits and hyphens; the page is at `/app/<path>`. */
  readonly path: string;
  /** The title of the page and of its entry in the navigation. */
  readonly title: LocalText;
  /** Whether the user may use it; always by default. The service checks each request all the same. */
  readonly isShown?: (rights: Rights) => boolean;
  /** The content; it uses `useConsole` and the hooks of the host. */
  readonly component: React.ComponentType;
}

/** A column of the list of an entity. */
export interface ExtensionColumn {
  /** Name of the entity whose list has the column. */
  readonly entity: string;
  /** Unique in the list. */
  readonly name: string;
  /** The head of the column. */
  readonly title: LocalText;
  /** What it needs of each row, as an inline fetch plan: `{ customer: { grade: true } }`. */
  readonly fetchPlan?: object;
  /** The cell of a row. */
  readonly component: React.ComponentType<{ readonly row: Values }>;
}

/** What a field of a form gets. */
export interface ExtensionFieldProps {
  /** Name of the entity that the form is of. */
  readonly entity: string;
  /** The attribute with its type, limits and rules. */
  readonly attribute: AttributeInfo;
  /** The caption of the attribute in the language of the page. */
  readonly label: string;
  /** The value as the API has it; null or undefined is none. */
  readonly value: unknown;
  /** What is wrong with the value: by a rule, or by the last save. */
  readonly error: string | undefined;
  /** The user may only see the value. */
  readonly isReadOnly: boolean;
  /** A save without a value is refused. */
  readonly isRequired: boolean;
  /** Takes the new value as the API has it; null is none. */
  readonly onChange: (value: unknown) => void;
}

/** Replaces the field of an attribute, or of all attributes of a datatype; the attribute has precedence. */
export type ExtensionField = {
  readonly component: React.ComponentType<ExtensionFieldProps>;
} & ({ readonly entity: string; readonly attribute: string } | { readonly datatype: string });

/** What an action works on. */
export interface ActionContext extends ConsoleContext {
  /** The client with the login of the user. */
  readonly client: RegisteredClient;
  /** What the user may do. */
  readonly rights: Rights;
  /** Name of the entity of the list or form. */
  readonly entity: string;
  /** The instance of the form, or the selected rows of the list. */
  readonly instances: readonly Values[];
  /** Reads the list or the instance again. */
  reload(): void;
}

/** A button of the list or of the form of an entity. */
export interface ExtensionAction {
  /** Name of the entity whose list or form has the button. */
  readonly entity: string;
  /** Whether the button is in the form of an instance, or in the list for its selected rows. */
  readonly on: 'instance' | 'list';
  /** Unique in the list or form. */
  readonly name: string;
  /** The text of the button. */
  readonly title: LocalText;
  /** Whether it is shown to the user; always by default. */
  readonly isShown?: (rights: Rights) => boolean;
  /** An error that it throws is shown. */
  readonly run: (context: ActionContext) => void | Promise<void>;
}
