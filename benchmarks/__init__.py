"""Measurements that take their time; each is a program of its own."""
