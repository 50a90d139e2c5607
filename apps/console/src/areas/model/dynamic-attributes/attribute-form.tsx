import { NativeSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { SwitchField } from '../../../controls/forms.tsx';
import { listedEntities } from '../../data/readable-entities.ts';
import { ATTRIBUTE, type AttributeDefinition, type CategoryDefinition, writtenAttribute } from './definition.ts';
import { DefinitionForm } from './definition-form.tsx';

const TYPES = 'dynat.AttributeType';
const NEW: AttributeDefinition = { code: '', name: '', dataType: 'STRING' };

interface AttributeFormProps {
  readonly category: CategoryDefinition;
  /** Undefined: a new one. */
  readonly attribute: AttributeDefinition | undefined;
  readonly onClose: (isSaved: boolean) => void;
}

/** The form of a dynamic attribute. Of one that exists neither the code nor the type can be changed. */
export function AttributeForm({ category, attribute, onClose }: AttributeFormProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { client, enums } = model;
  const [edited, setEdited] = useState(attribute ?? NEW);
  const isNew = attribute === undefined;
  const set = (change: Partial<AttributeDefinition>): void => setEdited((before) => ({ ...before, ...change }));
  const input = (name: keyof AttributeDefinition, errorOf: (attribute: string) => string | undefined) => ({
    label: text(`dynamic.${name}`),
    error: errorOf(name),
    value: String(edited[name] ?? ''),
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: currentTarget.value }),
  });
  return (
    <DefinitionForm
      title={text(isNew ? 'dynamic.addTo' : 'dynamic.changeOf', { name: isNew ? category.name : edited.code })}
      save={() => {
        const written = writtenAttribute({ ...edited, orderNo: Number(edited.orderNo ?? 0) }, category.id);
        return edited.id === undefined
          ? client.create(ATTRIBUTE, written)
          : client.update(ATTRIBUTE, edited.id, written);
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            {...input('code', errorOf)}
            withAsterisk
            data-autofocus
            disabled={!isNew}
            description={text('dynamic.codeHelp')}
          />
          <TextInput {...input('name', errorOf)} withAsterisk />
          <NativeSelect
            {...input('dataType', errorOf)}
            disabled={!isNew}
            data={(enums.get(TYPES)?.values ?? []).map(({ name }) => ({
              value: name,
              label: text(`dynamic.type.${name}`),
            }))}
          />
          {edited.dataType === 'ATTRIBUTE' && (
            <Select
              label={text('dynamic.entityClass')}
              withAsterisk
              searchable
              disabled={!isNew}
              error={errorOf('entityClass')}
              value={edited.entityClass ?? null}
              data={listedEntities(model, locale).map(({ entityName }) => ({
                value: entityName,
                label: `${captionOf(model, entityName)} (${entityName})`,
              }))}
              onChange={(entityClass) => set({ entityClass })}
            />
          )}
          {edited.dataType === 'ENUMERATION' && (
            <TextInput {...input('enumeration', errorOf)} withAsterisk description={text('dynamic.enumerationHelp')} />
          )}
          <SwitchField
            label={text('dynamic.collection')}
            disabled={!isNew}
            checked={edited.isCollection === true}
            onChange={(isChecked) => set({ isCollection: isChecked })}
          />
          <SwitchField
            label={text('dynamic.required')}
            checked={edited.required === true}
            onChange={(isChecked) => set({ required: isChecked })}
          />
          <TextInput {...input('orderNo', errorOf)} inputMode="numeric" />
          <Textarea {...input('description', errorOf)} rows={2} />
          <Textarea {...input('localeNames', errorOf)} rows={2} description={text('dynamic.localeNamesHelp')} />
        </>
      )}
    </DefinitionForm>
  );
}
