import type { Values } from '@lintel/react';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useModel, useText } from '../../../../context.ts';
import { formAttributesOf } from '../attributes/form-attributes.ts';
import { duplicateOf } from './duplicate-of.ts';

interface DuplicateButtonProps {
  readonly entityName: string;
  readonly values: Values;
}

/** Opens the form of a new instance with the values of this one. */
export function DuplicateButton({ entityName, values }: DuplicateButtonProps) {
  const text = useText();
  const { entities, rights } = useModel();
  const navigate = useNavigate();
  if (!rights.may(entityName, 'create')) return null;
  const duplicate = (): void => {
    const copied = duplicateOf(
      entities,
      (name, isNew) => {
        const found = entities.get(name);
        return found === undefined ? [] : formAttributesOf(found, rights, isNew);
      },
      entityName,
      values,
    );
    void navigate({ to: `/data/${entityName}/new` as string, state: { copied } as never });
  };
  return <Button onClick={duplicate}>{text('form.duplicate')}</Button>;
}
