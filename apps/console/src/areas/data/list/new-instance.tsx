import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useModel, useText } from '../../../context.ts';
import { concreteEntitiesOf } from '../concrete-entities.ts';

const CreateMenu = lazy(async () => ({ default: (await import('../create-menu.tsx')).CreateMenu }));

/** Leads to the form of a new instance; of several entities that it can be of, the user chooses one. */
export function NewInstance({ entity }: { readonly entity: string }) {
  const text = useText();
  const navigate = useNavigate();
  const concrete = concreteEntitiesOf(useModel(), entity);
  const [only] = concrete;
  if (only === undefined) return null;
  if (concrete.length === 1)
    return (
      <Button variant="filled" component={Link} to={`/data/${only}/new`} size="sm">
        {text('list.new')}
      </Button>
    );
  return (
    <Suspense fallback={null}>
      <CreateMenu
        size="sm"
        position="bottom-end"
        entities={concrete}
        onChoose={(chosen) => void navigate({ to: `/data/${chosen}/new` as string })}
      >
        {text('list.new')}
      </CreateMenu>
    </Suspense>
  );
}
