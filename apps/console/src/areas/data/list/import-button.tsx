import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useModel, useText } from '../../../context.ts';

const ImportDialog = lazy(async () => ({ default: (await import('../import/import-dialog.tsx')).ImportDialog }));

/** Opens the import of a table, for users who may create or change instances. */
export function ImportButton({ entity }: { readonly entity: string }) {
  const text = useText();
  const { rights, isSeen } = useModel();
  const [isOpen, setOpen] = useState(false);
  if (isSeen === true || !(rights.may(entity, 'create') || rights.may(entity, 'update'))) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {text('import.title')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog entity={entity} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
