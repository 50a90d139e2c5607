import { Fragment } from 'react';

/** A name with dots, such as `sales_Order.number`, which is broken after a dot where it is too long. */
export const BreakableName = ({ name }: { readonly name: string }) =>
  name.split(/(?<=\.)/).map((part, at) => (
    // The position is what identifies a part.
    // biome-ignore lint/suspicious/noArrayIndexKey: parts do not move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
