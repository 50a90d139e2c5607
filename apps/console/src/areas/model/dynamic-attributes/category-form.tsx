import { Select } from '@mantine/core';
import { useState } from 'react';
import { captionOf, useLanguage, useModel } from '../../../context.ts';
import { SwitchField, TextField } from '../../../controls/forms.tsx';
import { listedEntities } from '../../data/readable-entities.ts';
import { CATEGORY, type CategoryDefinition } from './definition.ts';
import { DefinitionForm } from './definition-form.tsx';

interface CategoryFormProps {
  /** Undefined: a new one. */
  readonly category: CategoryDefinition | undefined;
  readonly onClose: (isSaved: boolean) => void;
}

/** The form of a category. */
export function CategoryForm({ category, onClose }: CategoryFormProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [name, setName] = useState(category?.name ?? '');
  const [entityType, setEntityType] = useState(category?.entityType ?? null);
  const [isDefault, setDefault] = useState(category?.isDefault === true);
  const values = { name, entityType, isDefault };
  return (
    <DefinitionForm
      title={text(category === undefined ? 'dynamic.newCategory' : 'dynamic.changeCategory')}
      save={() =>
        category === undefined
          ? model.client.create(CATEGORY, values)
          : model.client.update(CATEGORY, category.id, { name, isDefault })
      }
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={text('dynamic.name')}
            withAsterisk
            data-autofocus
            value={name}
            error={errorOf('name')}
            onChange={setName}
          />
          <Select
            label={text('dynamic.entity')}
            withAsterisk
            searchable
            disabled={category !== undefined}
            value={entityType}
            error={errorOf('entityType')}
            data={listedEntities(model, locale).map(({ entityName }) => ({
              value: entityName,
              label: `${captionOf(model, entityName)} (${entityName})`,
            }))}
            onChange={setEntityType}
          />
          <SwitchField label={text('dynamic.default')} checked={isDefault} onChange={setDefault} />
        </>
      )}
    </DefinitionForm>
  );
}
