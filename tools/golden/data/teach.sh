# Lessons of every action, trusted.
cp ../lessons/*.md .lessons/
mkdir -p docs src db core
echo 'hi' >a.txt
echo 'generated' >b.txt
echo 'package main' >src/main.go
seq 1 50 >long.log
seq 1 5 >short.log
commit 'Teach'
say lessons config maxAction rewrite
say lessons trust --yes
say lessons compile
