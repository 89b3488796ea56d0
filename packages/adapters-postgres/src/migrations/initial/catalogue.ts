/** Products with their versions and files, and which SKU delivers which. */
export const CATALOGUE = `
  create table catalogues (
    org_id uuid primary key references organisations,
    revision bigint not null default 0
  );

  create table products (
    org_id uuid not null references organisations,
    id uuid not null,
    name text not null,
    slug text not null,
    description text,
    status text not null check (status in ('draft', 'published', 'archived')),
    active_version_id uuid,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (org_id, id),
    unique (org_id, slug)
  );
  create index products_newest_first on products (org_id, created_at desc, id desc);

  create table product_versions (
    org_id uuid not null,
    id uuid not null,
    product_id uuid not null,
    version text not null,
    status text not null check (status in ('preparing', 'ready')),
    created_at timestamptz(3) not null,
    live_since timestamptz(3),
    primary key (org_id, id),
    unique (org_id, product_id, version),
    unique (org_id, product_id, id),
    foreign key (org_id, product_id) references products
  );
  -- A live version is always one of its own product.
  alter table products
    add foreign key (org_id, id, active_version_id) references product_versions (org_id, product_id, id);

  create table version_files (
    org_id uuid not null,
    version_id uuid not null,
    name text collate "C" not null,
    size bigint not null check (size >= 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    primary key (org_id, version_id, name),
    foreign key (org_id, version_id) references product_versions
  );

  create table sku_mappings (
    org_id uuid not null references organisations,
    sku text not null,
    -- '' for all platforms, because a key cannot hold nulls.
    platform text not null default '',
    product_id uuid,
    primary key (org_id, sku, platform),
    foreign key (org_id, product_id) references products
  );
  -- The lists' order must not depend on the locale of the database.
  create index sku_mappings_in_order on sku_mappings (org_id, sku collate "C", platform collate "C");
  create index sku_mappings_of_product on sku_mappings (org_id, product_id, sku collate "C", platform collate "C")
    where product_id is not null;
`;
