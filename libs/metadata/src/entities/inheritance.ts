/** How the rows of an entity and its descendants are stored. On the root. */
export interface Inheritance {
  /**
   * `joined`: each descendant has a table of its own attributes, whose key is that of the root's row. `single-table`: the
   * root's table has the attributes of all descendants. Default `joined`.
   */
  readonly strategy?: 'joined' | 'single-table';
  /** Column of the root's table that determines the entity of a row, by `discriminatorValue`. Default `entity_name`. */
  readonly discriminator?: string;
  /** PostgreSQL type of this column as the catalogue names it. Default `integer` for numbers, else `varchar(100)`. */
  readonly storedAs?: string;
}

/** What the discriminator of a row contains for an entity: the same kind for all entities of a tree. */
export type DiscriminatorValue = string | number;
