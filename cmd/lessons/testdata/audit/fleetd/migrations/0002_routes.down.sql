drop table routes;
