import { ActionIcon } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useRights } from '../../context.ts';
import { AreaTexts } from '../../shell/area-frame.tsx';

const Dialog = lazy(async () => ({ default: (await import('./translate-dialog.tsx')).TranslateDialog }));

interface TranslateButtonProps {
  /** What has the caption: an entity, an attribute (`sales_Order.number`). */
  readonly target: string;
  readonly label: string;
}

/** Changes a caption where it is shown, in all languages. Shown to users who may change texts. */
export function TranslateButton({ target, label }: TranslateButtonProps) {
  const rights = useRights();
  const [isOpen, setOpen] = useState(false);
  if (!['create', 'read', 'update'].every((operation) => rights.may('sys_Message', operation as 'read'))) return null;
  return (
    <>
      <ActionIcon variant="subtle" size="sm" aria-label={label} onClick={() => setOpen(true)}>
        <IconLanguage size={16} stroke={1.5} />
      </ActionIcon>
      {isOpen && (
        <AreaTexts area="texts">
          <Suspense fallback={null}>
            <Dialog target={target} onClose={() => setOpen(false)} />
          </Suspense>
        </AreaTexts>
      )}
    </>
  );
}
