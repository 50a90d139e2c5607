import { type FoundInstance, idSegment, isObject, useLookup } from '@lintel/react';
import { ActionIcon, Button, Group, Input, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useModel, useText } from '../../../../context.ts';
import { TextLink } from '../../../../controls/texts.tsx';
import { useShowError } from '../../../../errors/use-show-error.ts';
import { listOfReferrers } from '../../deletion/list-of-referrers.ts';
import { instancePath } from '../../instance-path.ts';
import { nameOfInstance } from '../../values/format-value.ts';
import { SearchSelect } from '../../values/search-select.tsx';
import { useCreation } from '../creation/use-creation.tsx';
import classes from '../form.module.css';
import { type LabelledFieldProps, useForm } from '../form-context.ts';

/** More members are changed from their own side. */
const MAX_CHANGED = 200;

/** The instances of an association: added by a search, removed by a button. */
export function ReferencesField(props: LabelledFieldProps) {
  const { field, value, label, error } = props;
  const { attribute, isReadOnly } = field;
  const members = Array.isArray(value) ? (value as readonly FoundInstance[]) : undefined;
  return (
    <Input.Wrapper label={label} labelElement="div" error={error} withAsterisk={attribute.mandatory && !isReadOnly}>
      {members === undefined ? <NotRead {...props} /> : <Members {...props} members={members} />}
    </Input.Wrapper>
  );
}

/** Any number of instances: a list of them, and a button that reads them. */
function NotRead({ entity, field: { attribute, isReadOnly }, path, isNew, label }: LabelledFieldProps) {
  const text = useText();
  const { client, rights } = useModel();
  const { id, change, addStored } = useForm();
  const showError = useShowError();
  const { type, inverse, name } = attribute;
  // The list of a nested instance is in its own form.
  const isRoot = !path.includes('/');
  if (isNew && !isReadOnly)
    return (
      <Button size="compact-sm" onClick={() => change(path, [])}>
        {text('references.add', { name: label })}
      </Button>
    );
  if (!isRoot || id === undefined) return <Text size="sm">–</Text>;

  async function read(instance: string): Promise<void> {
    try {
      const count =
        inverse === undefined
          ? 0
          : await client.count(type, { conditions: [{ property: inverse, operator: '=', value: instance }] });
      if (count > MAX_CHANGED) throw new Error(text('references.tooMany', { count, name: label }));
      const found = await client.load(entity, instance, { fetchPlan: { [name]: true } });
      addStored(path, isObject(found) ? (found[name] ?? []) : []);
    } catch (failure) {
      showError(failure);
    }
  }

  return (
    <Group gap="sm">
      {inverse !== undefined && rights.may(type, 'read') && (
        <TextLink {...listOfReferrers(type, inverse, id)}>{text('references.show', { name: label })}</TextLink>
      )}
      {!isReadOnly && (
        <Button size="compact-sm" onClick={() => void read(id)}>
          {text('references.change', { name: label })}
        </Button>
      )}
    </Group>
  );
}

function Members({ field, path, label, members }: LabelledFieldProps & { readonly members: readonly FoundInstance[] }) {
  const { attribute, isReadOnly } = field;
  const text = useText();
  const { rights } = useModel();
  const { change, depth } = useForm();
  // A form above another one leads to no other page.
  const mayOpen = depth === 0 && rights.may(attribute.type, 'read');
  return (
    <Stack gap={4}>
      {members.length === 0 && isReadOnly && <Text size="sm">–</Text>}
      <Group gap="xs" component="ul" className={classes['list']} aria-label={label}>
        {members.map((member) => {
          const name = nameOfInstance(member);
          return (
            <Group key={idSegment(member.id)} gap={2} component="li" wrap="nowrap">
              {mayOpen ? (
                <TextLink to={instancePath(attribute.type, member.id)}>{name}</TextLink>
              ) : (
                <Text size="sm">{name}</Text>
              )}
              {!isReadOnly && (
                <ActionIcon
                  variant="subtle"
                  size="sm"
                  color="gray"
                  aria-label={text('references.remove', { name })}
                  onClick={() =>
                    change(
                      path,
                      members.filter((each) => each !== member),
                    )
                  }
                >
                  <IconX size={14} />
                </ActionIcon>
              )}
            </Group>
          );
        })}
      </Group>
      {!isReadOnly && (
        <AddMember
          type={attribute.type}
          label={label}
          without={new Set(members.map(({ id }) => idSegment(id)))}
          onAdd={(member) => change(path, [...members, member])}
        />
      )}
    </Stack>
  );
}

interface AddMemberProps {
  readonly type: string;
  readonly label: string;
  readonly without: ReadonlySet<string>;
  readonly onAdd: (member: FoundInstance) => void;
}

function AddMember({ type, label, without, onAdd }: AddMemberProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const { found: matching, isLoading, error } = useLookup(type, words, { enabled: isOpen });
  const found = new Map(matching.map((each) => [idSegment(each.id), each]));
  const creation = useCreation({ type, words, isReady: !isLoading, onCreated: onAdd });
  return (
    <>
      <SearchSelect
        aria-label={text('references.add', { name: label })}
        placeholder={text('references.add', { name: label })}
        error={error?.message}
        maw={420}
        value={null}
        searchValue={words}
        onSearchChange={setWords}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        data={[
          ...[...found]
            .filter(([id]) => !without.has(id))
            .map(([id, instance]) => ({ value: id, label: nameOfInstance(instance) })),
          ...creation.options,
        ]}
        {...creation.focusProps}
        onChange={(id) => {
          const member = id === null || creation.open(id) ? undefined : found.get(id);
          if (member !== undefined) onAdd(member);
          setWords('');
        }}
      />
      {creation.form}
    </>
  );
}
