import { Fieldset, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { CodeEditor } from '../../../controls/code-editor.tsx';
import { SwitchField } from '../../../controls/forms.tsx';
import { type DraftGroup, draftOf } from '../../data/list/filter/filter-draft.ts';
import { FilterGroup } from '../../data/list/filter/filter-group.tsx';
import { UserValues } from '../../data/list/filter/user-values.ts';
import { completionsOf } from './completions.ts';
import { draftOfRule } from './rule-draft.ts';
import { textOfRule } from './rule-text.ts';

interface RuleConditionProps {
  readonly entityName: string;
  /** In the query language; "" without one. */
  readonly condition: string;
  /** Whether it can be built from choices: texts of other kinds are only written. */
  readonly isBuilt: boolean;
  readonly error: string | undefined;
  readonly onChange: (condition: string) => void;
}

/** The condition of a row rule: chosen as in the filter of a list, or written as text. */
export function RuleCondition({ entityName, condition, isBuilt, error, onChange }: RuleConditionProps) {
  const text = useText();
  const model = useModel();
  const [isText, setText] = useState(false);
  const [edited, setEdited] = useState<{ readonly draft: DraftGroup; readonly condition: string }>();
  const stored = useMemo(() => (condition === '' ? draftOf(undefined) : draftOfRule(condition)), [condition]);
  const draft = edited?.condition === condition ? edited.draft : stored;
  const userValues = useMemo(
    () =>
      (model.entities.get('sec_User')?.properties ?? [])
        .filter(
          ({ name, persistent, writeOnly, cardinality }) =>
            persistent &&
            writeOnly !== true &&
            !String(cardinality).endsWith('MANY') &&
            model.rights.mayView('sec_User', name),
        )
        .map((attribute) => ({
          parameter: `current_user_${attribute.name}`,
          caption: text('rules.ofUser', { name: captionOf(model, 'sec_User', attribute.name) }),
          attribute,
        })),
    [model, text],
  );
  if (entityName === '') return null;
  const canBuild = isBuilt && draft !== undefined;
  return (
    <>
      {isBuilt && draft === undefined && <Text size="sm">{text('rules.textOnly')}</Text>}
      {canBuild && <SwitchField label={text('rules.asText')} checked={isText} onChange={setText} />}
      {canBuild && !isText ? (
        <Fieldset legend={text('rules.shown')}>
          <Stack gap="sm">
            <UserValues value={userValues}>
              <FilterGroup
                entityName={entityName}
                group={draft}
                isChecked={false}
                onChange={(changed) => {
                  const next = changed ?? draftOf(undefined);
                  const written = textOfRule(model, entityName, next) ?? '';
                  setEdited({ draft: next, condition: written });
                  onChange(written);
                }}
              />
            </UserValues>
            {condition === '' ? (
              <Text size="sm">{text('rules.incomplete')}</Text>
            ) : (
              error !== undefined && (
                <Text size="sm" c="error" role="alert">
                  {error}
                </Text>
              )
            )}
          </Stack>
        </Fieldset>
      ) : (
        <CodeEditor
          label={text('rules.condition')}
          description={text('rules.conditionHint')}
          language="text"
          value={condition}
          error={error}
          onChange={onChange}
          complete={(before) => completionsOf(model.entities, entityName, before)}
        />
      )}
    </>
  );
}
