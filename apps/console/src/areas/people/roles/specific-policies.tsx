import { Fieldset, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useModel, useText } from '../../../context.ts';
import { CheckField } from '../../../controls/forms.tsx';
import { Hint } from '../../../controls/texts.tsx';
import type { ResourcePolicy } from '../api/roles.ts';
import { groupOfSpecific, SPECIFIC_GROUPS } from './group-of-specific.ts';
import { aboutSpecific, nameOfSpecific } from './name-of-specific.ts';
import { hasPolicy, withPolicy } from './policy-set.ts';

interface SpecificPoliciesProps {
  readonly policies: readonly ResourcePolicy[];
  readonly onChange: ((policies: readonly ResourcePolicy[]) => void) | undefined;
}

/** The specific permissions of the API, and those that the role names besides, by what they are about. */
export function SpecificPolicies({ policies, onChange }: SpecificPoliciesProps) {
  const text = useText();
  const model = useModel();
  const { client } = model;
  const { data } = useQuery({
    queryKey: ['people', 'specifics'],
    queryFn: async () => (await client.user.permissions()).specifics.map(({ target }) => target),
  });
  const own = policies.filter(({ type }) => type === 'specific').map(({ resource }) => resource);
  // What cannot be changed is only listed.
  const names = [...new Set([...(onChange === undefined ? [] : (data ?? [])), ...own])].filter((name) => name !== '*');
  return (
    <>
      <Title order={2}>{text('roles.specifics')}</Title>
      <Choice name="*" label={text('roles.allSpecifics')} policies={policies} onChange={onChange} />
      {SPECIFIC_GROUPS.map((group) => {
        const shown = names.filter((name) => groupOfSpecific(name) === group);
        return shown.length === 0 ? null : (
          <Fieldset key={group} legend={text(`roles.group.${group}`)}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs">
              {shown.map((name) => (
                <Choice
                  key={name}
                  name={name}
                  label={nameOfSpecific(name, text, model)}
                  about={aboutSpecific(name, text)}
                  policies={policies}
                  onChange={onChange}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        );
      })}
    </>
  );
}

interface ChoiceProps extends SpecificPoliciesProps {
  readonly name: string;
  readonly label: string;
  readonly about?: string | undefined;
}

/** A permission: its name, a sentence, and the name by which the code knows it. */
function Choice({ name, label, about, policies, onChange }: ChoiceProps) {
  const isGranted = hasPolicy(policies, 'specific', name, 'access');
  const description = [about, name === label || name === '*' ? undefined : name].filter(Boolean).join(' · ');
  if (onChange === undefined)
    return isGranted ? (
      <div>
        <Text size="sm">{label}</Text>
        <Hint>{description}</Hint>
      </div>
    ) : null;
  return (
    <CheckField
      label={label}
      description={description}
      checked={isGranted}
      onChange={(isChecked) =>
        onChange(withPolicy(policies, { type: 'specific', resource: name, action: 'access' }, isChecked))
      }
    />
  );
}
