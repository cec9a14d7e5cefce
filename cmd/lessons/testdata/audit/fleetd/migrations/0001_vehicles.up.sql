create table vehicles (
  id text primary key,
  plate text not null,
  capacity int not null,
  driver text not null default ''
);
