import type { FormAttribute } from '../attributes/form-attributes.ts';

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
