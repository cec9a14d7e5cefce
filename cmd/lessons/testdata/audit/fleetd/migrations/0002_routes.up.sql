create table routes (
  id text primary key,
  vehicle_id text not null references vehicles (id)
);
