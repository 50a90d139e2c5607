import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { captionOf, useModel, useText } from '../../../../context.ts';
import { TextLink } from '../../../../controls/texts.tsx';
import { ErrorAlert } from '../../../../errors/pending.tsx';
import { listOfReferrers } from '../../deletion/list-of-referrers.ts';
import { type ReferringAttribute, referringAttributes } from '../../deletion/referring-attributes.ts';

/** Requests at once; an instance of a user can have references from many entities. */
const AT_ONCE = 4;

interface ReferrersProps {
  readonly entityName: string;
  /** As the API has it: an id of several attributes is an object. */
  readonly id: unknown;
}

/** The instances that refer to an instance, counted when the user asks for it. */
export function Referrers({ entityName, id }: ReferrersProps) {
  const text = useText();
  const model = useModel();
  const [isOpen, setOpen] = useState(false);
  const attributes = referringAttributes(model, entityName);
  const { data, error, refetch } = useQuery({
    queryKey: ['referrers', entityName, id],
    enabled: isOpen,
    queryFn: async ({ signal }) => {
      const counted: (ReferringAttribute & { readonly count: number })[] = [];
      const waiting = [...attributes];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const { entity, attribute } = next;
          const conditions = [{ property: attribute.name, operator: '=' as const, value: id }];
          counted.push({ ...next, count: await model.client.count(entity, { conditions }, { signal }) });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return attributes.flatMap((each) =>
        counted.filter(
          ({ entity, attribute, count }) => entity === each.entity && attribute === each.attribute && count > 0,
        ),
      );
    },
  });
  if (attributes.length === 0) return null;
  return (
    <Stack gap={4} component="section" aria-label={text('referrers.title')}>
      <Title order={2} size="h5">
        {text('referrers.title')}
      </Title>
      {!isOpen && (
        <Group>
          <Button size="compact-sm" onClick={() => setOpen(true)}>
            {text('referrers.find')}
          </Button>
        </Group>
      )}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text size="sm">{text('referrers.none')}</Text>}
      {data?.map(({ entity, attribute, count }) => (
        <TextLink key={`${entity}.${attribute.name}`} {...listOfReferrers(entity, attribute.name, id)}>
          {captionOf(model, entity)} · {captionOf(model, entity, attribute.name)} ({text('list.rows', { count })})
        </TextLink>
      ))}
    </Stack>
  );
}
