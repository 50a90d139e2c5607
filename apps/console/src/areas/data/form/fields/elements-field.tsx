import { kindOf } from '@lintel/react';
import { ActionIcon, Button, Group, Input, Stack } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useLanguage, useModel } from '../../../../context.ts';
import { ChoiceField, TextField } from '../../../../controls/forms.tsx';
import { fromInputNumber, toInputNumber } from '../../values/decimals.ts';
import { inputTypeOf } from '../../values/input-type.ts';
import classes from '../form.module.css';
import { type LabelledFieldProps, useForm } from '../form-context.ts';

/** An ordered collection of values, each in an input. */
export function ElementsField({ field: { attribute }, value, path, label, error }: LabelledFieldProps) {
  const { text, locale } = useLanguage();
  const { enums } = useModel();
  const { change } = useForm();
  const elements = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const isNumber = kindOf({ ...attribute, cardinality: 'NONE' }) === 'number';
  const constants = enums.get(attribute.type)?.values;
  const set = (at: number, element: unknown): void =>
    change(
      path,
      elements.map((each, index) => (index === at ? element : each)),
    );
  return (
    <Input.Wrapper label={label} labelElement="div" error={error} withAsterisk={attribute.mandatory}>
      <Stack gap={4} component="ul" className={classes['list']} aria-label={label}>
        {elements.map((element, at) => {
          const shown = element === null || element === undefined ? '' : String(element);
          const caption = text('elements.element', { name: label, count: at + 1 });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal values have no other identity
            <Group key={at} gap={4} wrap="nowrap" component="li">
              {constants === undefined ? (
                <TextField
                  aria-label={caption}
                  flex={1}
                  type={inputTypeOf(attribute.type, shown)}
                  value={isNumber ? toInputNumber(shown, locale) : shown}
                  onChange={(value) => set(at, isNumber ? fromInputNumber(value, locale) : value)}
                />
              ) : (
                <ChoiceField
                  aria-label={caption}
                  flex={1}
                  value={shown}
                  onChange={(value) => set(at, value)}
                  data={constants.map(({ name, caption: constant }) => ({ value: name, label: constant }))}
                />
              )}
              <ActionIcon
                size={34}
                aria-label={text('elements.remove', { name: caption })}
                onClick={() =>
                  change(
                    path,
                    elements.filter((_, index) => index !== at),
                  )
                }
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          );
        })}
      </Stack>
      <Button size="compact-sm" mt={4} onClick={() => change(path, [...elements, constants?.[0]?.name ?? ''])}>
        {text('elements.add', { name: label })}
      </Button>
    </Input.Wrapper>
  );
}
