drop table vehicles;
