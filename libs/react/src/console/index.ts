export type { ConsoleComponents } from './console-components.ts';
export type {
  ActionContext,
  ConsoleContext,
  ConsoleExtension,
  ConsoleHost,
  ExtensionAction,
  ExtensionColumn,
  ExtensionField,
  ExtensionFieldProps,
  ExtensionPage,
  ExtensionParts,
  LocalText,
} from './console-extension.ts';
