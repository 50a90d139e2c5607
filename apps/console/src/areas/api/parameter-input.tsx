import { NativeSelect, TextInput } from '@mantine/core';
import type { ApiParameter } from './document/api-document.ts';

interface ParameterInputProps {
  readonly parameter: ApiParameter;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The field of a parameter of an operation. */
export function ParameterInput({ parameter, value, error, onChange }: ParameterInputProps) {
  const { name, in: location, description, required = false, schema = {}, example } = parameter;
  const choices = schema.enum ?? ([schema.type].flat().includes('boolean') ? [true, false] : undefined);
  const common = {
    label: `${name} (${location})`,
    description: description?.replaceAll('`', ''),
    withAsterisk: required,
    error,
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  if (choices !== undefined) return <NativeSelect {...common} data={['', ...choices.map(String)]} />;
  const hint = example ?? schema.example ?? schema.default;
  return (
    <TextInput
      {...common}
      placeholder={hint === undefined ? undefined : String(hint)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
