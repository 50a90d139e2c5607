import {
  Checkbox,
  type CheckboxProps,
  NativeSelect,
  type NativeSelectProps,
  Switch,
  type SwitchProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { ComponentProps } from 'react';

interface SubmitFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form whose submission the page handles. */
export const SubmitForm = ({ onSubmit, ...form }: SubmitFormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);

/** A field of the kit whose changes are values instead of events. */
type ValueField<Props, Value> = Omit<Props, 'onChange'> & { readonly onChange: (value: Value) => void };

/** A text that the page has. */
export const TextField = ({ onChange, ...input }: ValueField<TextInputProps, string>) => (
  <TextInput {...input} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);

/** A choice of a few values, which the device shows as it usually does. */
export const ChoiceField = ({ onChange, ...input }: ValueField<NativeSelectProps, string>) => (
  <NativeSelect {...input} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);

/** A check box whose state the page has. */
export const CheckField = ({ onChange, ...input }: ValueField<CheckboxProps, boolean>) => (
  <Checkbox {...input} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
);

/** A switch whose state the page has. */
export const SwitchField = ({ onChange, ...input }: ValueField<SwitchProps, boolean>) => (
  <Switch {...input} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
);
