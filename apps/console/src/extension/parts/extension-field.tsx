import type { ExtensionField, ExtensionFieldProps } from '@lintel/react/console';
import { ErrorAlert } from '../../errors/pending.tsx';
import { Guarded } from './guarded.tsx';

/** A field of the extension; if it fails, its error is shown in the form. */
export const ExtensionFieldOf = ({
  field: { component: Content },
  ...props
}: ExtensionFieldProps & { readonly field: ExtensionField }) => (
  <Guarded fallback={(error) => <ErrorAlert error={error} />}>
    <Content {...props} />
  </Guarded>
);
