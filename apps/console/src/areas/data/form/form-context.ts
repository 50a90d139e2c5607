import type { ExtensionParts } from '@lintel/react/console';
import { createContext, useContext } from 'react';
import type { FormAttribute } from './attributes/form-attributes.ts';
import { messagesInside } from './checking/messages-inside.ts';

/** A form that is open above another one, for a new instance that a field of the other refers to. */
export type InnerForm = 'unchanged' | 'dirty';

/** What the fields of a form share; each field is found by its path in the draft. */
export interface FormContextValue {
  /** What is wrong, by paths. */
  readonly messages: ReadonlyMap<string, string>;
  /** Sets the value at a path. */
  readonly change: (path: string, value: unknown) => void;
  /** Sets a value that is stored and was not read before. */
  readonly addStored: (path: string, value: unknown) => void;
  /** Says what is wrong with an input that has no value, such as JSON that is not finished; undefined: nothing. */
  readonly report: (path: string, message: string | undefined) => void;
  /** Its fields replace those of the console. */
  readonly extension: ExtensionParts;
  /** The id of the instance in paths; undefined for a new one. */
  readonly id: string | undefined;
  /** How many forms it is opened from; 0 for that of a page. */
  readonly depth: number;
  /** Says that a form is open above it; undefined: none. Absent in forms above which none is opened. */
  readonly setInner?: (inner: InnerForm | undefined) => void;
}

const FormContext = createContext<FormContextValue | undefined>(undefined);

/** Gives fields their form. */
export const FormProvider = FormContext;

/** The form of a field. */
export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error('There is no FormProvider');
  return form;
}

/** What is wrong with the value at a path. */
export const useMessage = (path: string): string | undefined => useForm().messages.get(path);

/** What is wrong with the value at a path or inside of it. */
export const useMessagesInside = (path: string): string | undefined =>
  messagesInside(useForm().messages, path).join('; ') || undefined;

/** The number of messages below a path. */
export const useMessagesBelow = (path: string): number => messagesInside(useForm().messages, path).length;

/** A field of a form. */
export interface FieldProps {
  /** The entity of the instance. */
  readonly entity: string;
  readonly field: FormAttribute;
  readonly value: unknown;
  /** Of the value in the draft. */
  readonly path: string;
  readonly isNew: boolean;
  /** In a cell of a table: its caption is for screen readers alone. */
  readonly cellLabel?: string | undefined;
}

/** A field with its caption. */
export interface LabelledFieldProps extends FieldProps {
  readonly label: string;
  readonly error: string | undefined;
}

/** The caption of an input: visible, or for screen readers in a cell. */
export const captionProps = ({ label, cellLabel, error, field: { attribute, isReadOnly } }: LabelledFieldProps) =>
  cellLabel === undefined
    ? { label, error, withAsterisk: attribute.mandatory && !isReadOnly }
    : { 'aria-label': cellLabel, error, size: 'xs' as const };
